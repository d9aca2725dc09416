#include "frontend/models/models.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "frontend/models/lenet.h"
#include "frontend/models/mlp.h"
#include "frontend/models/mobilenet.h"
#include "frontend/models/resnet.h"
#include "frontend/models/vgg.h"

namespace vantage::models {

std::span<const Model> models() {
  // Of ImageNet's pictures.
  static const std::vector<double> kMean = {0.485, 0.456, 0.406}, kDeviation = {0.229, 0.224, 0.225};
  static const std::vector<Model> kAll = {
      {"mlp", "a perceptron for digits", mlp, false},
      {"lenet", "a convolutional network for digits, trained on MNIST", lenet, true},
      {"resnet8", "MLPerf Tiny's residual network for images of 32 x 32", resnet8, false},
      {"resnet18", "a residual network of 18 layers", resnet18, false, kMean, kDeviation},
      {"resnet34", "a residual network of 34 layers", resnet34, false, kMean, kDeviation},
      {"resnet50", "a residual network of 50 layers, with bottlenecks", resnet50, false, kMean, kDeviation},
      {"vgg16", "VGG's network of 16 layers", vgg16, false, kMean, kDeviation},
      {"mobilenet", "MobileNet v1, of depthwise and pointwise convolutions", mobilenet_v1, false, kMean, kDeviation},
      {"mobilenet_v2", "MobileNet v2, with inverted residuals", mobilenet_v2, false, kMean, kDeviation},
  };
  return kAll;
}

const Model& find_model(std::string_view name) {
  const std::span<const Model> all = models();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Model& model) { return model.name == name; });
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const Model& model : all) names.push_back(model.name);
  fail("there is no model {}{}", name, did_you_mean(name, names));
}

}  // namespace vantage::models
