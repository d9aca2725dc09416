#include "tests/fuzz/message_mutator.h"

#include <cmath>
#include <limits>

namespace vantage::test {

using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Reflection;

namespace {

void collect(const Message& message, std::vector<const Message*>& parts) {
  parts.push_back(&message);
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      collect(reflection.GetMessage(message, field), parts);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      collect(reflection.GetRepeatedMessage(message, field, i), parts);
    }
  }
}

// Sets the value, the element, or appends one, by reflection's three functions for its type.
template <typename T, typename Set, typename SetElement, typename Add>
void put(Message& message, const FieldDescriptor& field, int index, T value, Set set, SetElement set_element, Add add) {
  const Reflection& reflection = *message.GetReflection();
  if (!field.is_repeated()) {
    (reflection.*set)(&message, &field, value);
  } else if (index < 0) {
    (reflection.*add)(&message, &field, value);
  } else {
    (reflection.*set_element)(&message, &field, index, value);
  }
}

// What is there; nothing where there is none.
template <typename T, typename Get, typename GetElement>
T value_of(const Message& message, const FieldDescriptor& field, int index, Get get, GetElement get_element) {
  const Reflection& reflection = *message.GetReflection();
  if (!field.is_repeated()) return (reflection.*get)(message, &field);
  return index < 0 ? T() : (reflection.*get_element)(message, &field, index);
}

std::string text_of(const Message& message, const FieldDescriptor& field, int index) {
  return value_of<std::string>(message, field, index, &Reflection::GetString, &Reflection::GetRepeatedString);
}

}  // namespace

std::vector<Message*> MessageMutator::parts_of(Message& message) {
  std::vector<const Message*> found;
  collect(message, found);
  std::vector<Message*> parts;
  // All of them are parts of a message that may be changed.
  for (const Message* part : found) parts.push_back(const_cast<Message*>(part));  // NOLINT
  return parts;
}

int64_t MessageMutator::integer() {
  static constexpr std::array<int64_t, 6> kLimits = {INT64_MIN, INT64_MAX, INT32_MIN, INT32_MAX, UINT32_MAX, INT16_MAX};
  switch (below(8)) {
    case 0: return one_of(kLimits);
    case 1: return -1 - static_cast<int64_t>(below(8));
    case 2: {
      const auto power = static_cast<int64_t>(uint64_t{1} << below(63));
      return (once_in(4) ? -power : power) + static_cast<int64_t>(below(3)) - 1;
    }
    default: return static_cast<int64_t>(below(24));
  }
}

double MessageMutator::number() {
  static const std::array<double, 18> kNumbers = {
      0, -0.0, 1, -1, 0.5, 2, 3, 255.5, 1e9, 1e-9, 1e30, -1e30, 1e300, 1e-320, -128, INFINITY, -INFINITY, std::nan("")};
  return once_in(4) ? static_cast<double>(integer()) : one_of(kNumbers);
}

int64_t MessageMutator::near(int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  switch (below(4)) {
    case 0: return static_cast<int64_t>(bits + 1);
    case 1: return static_cast<int64_t>(bits - 1);
    case 2: return static_cast<int64_t>(0 - bits);
    default: return static_cast<int64_t>(bits * 2);
  }
}

std::string MessageMutator::near(std::string text) {
  const size_t at = text.empty() ? 0 : below(text.size());
  switch (below(4)) {
    case 0: return {};
    case 1: text.insert(at, 1, static_cast<char>(below(256))); break;
    case 2: text.erase(at, 1 + below(8)); break;
    default:
      if (!text.empty()) text[at] = static_cast<char>(below(256));
  }
  return text;
}

void MessageMutator::set_value(Message& message, const Field& field, int index,
                               const std::vector<const Message*>& parts) {
  const bool is_near = once_in(2);
  switch (field.cpp_type()) {
    case Field::CPPTYPE_INT32: {
      const int32_t now =
          value_of<int32_t>(message, field, index, &Reflection::GetInt32, &Reflection::GetRepeatedInt32);
      return put(message, field, index, static_cast<int32_t>(is_near ? near(int64_t{now}) : integer()),
                 &Reflection::SetInt32, &Reflection::SetRepeatedInt32, &Reflection::AddInt32);
    }
    case Field::CPPTYPE_INT64: {
      const int64_t now =
          value_of<int64_t>(message, field, index, &Reflection::GetInt64, &Reflection::GetRepeatedInt64);
      return put(message, field, index, is_near ? near(now) : integer(), &Reflection::SetInt64,
                 &Reflection::SetRepeatedInt64, &Reflection::AddInt64);
    }
    case Field::CPPTYPE_UINT32:
      return put(message, field, index, static_cast<uint32_t>(integer()), &Reflection::SetUInt32,
                 &Reflection::SetRepeatedUInt32, &Reflection::AddUInt32);
    case Field::CPPTYPE_UINT64:
      return put(message, field, index, static_cast<uint64_t>(integer()), &Reflection::SetUInt64,
                 &Reflection::SetRepeatedUInt64, &Reflection::AddUInt64);
    case Field::CPPTYPE_FLOAT: {
      const double drawn = number();
      // What is too large for a float is none.
      const bool fits = !(std::abs(drawn) > std::numeric_limits<float>::max()) || std::isinf(drawn);
      return put(message, field, index, fits ? static_cast<float>(drawn) : INFINITY, &Reflection::SetFloat,
                 &Reflection::SetRepeatedFloat, &Reflection::AddFloat);
    }
    case Field::CPPTYPE_DOUBLE:
      return put(message, field, index, number(), &Reflection::SetDouble, &Reflection::SetRepeatedDouble,
                 &Reflection::AddDouble);
    case Field::CPPTYPE_BOOL:
      return put(message, field, index, once_in(2), &Reflection::SetBool, &Reflection::SetRepeatedBool,
                 &Reflection::AddBool);
    case Field::CPPTYPE_ENUM: {
      const EnumDescriptor& all = *field.enum_type();
      return put(message, field, index, all.value(static_cast<int>(below(static_cast<size_t>(all.value_count())))),
                 &Reflection::SetEnum, &Reflection::SetRepeatedEnum, &Reflection::AddEnum);
    }
    case Field::CPPTYPE_STRING: {
      std::string text = text_of(message, field, index);
      if (once_in(8)) {
        text = near(std::move(text));
      } else {
        // A text that stands elsewhere: names become those of something else, so that they mean it.
        for (int tries = 0; tries < 8; ++tries) {
          const Message& from = *one_of(parts);
          std::vector<const Field*> fields;
          from.GetReflection()->ListFields(from, &fields);
          if (fields.empty()) continue;
          const Field& chosen = *one_of(fields);
          if (chosen.type() != field.type()) continue;
          const int count = chosen.is_repeated() ? from.GetReflection()->FieldSize(from, &chosen) : 1;
          text = text_of(from, chosen, static_cast<int>(below(static_cast<size_t>(count))));
          break;
        }
      }
      return put(message, field, index, std::move(text), &Reflection::SetString, &Reflection::SetRepeatedString,
                 &Reflection::AddString);
    }
    case Field::CPPTYPE_MESSAGE: break;
  }
}

void MessageMutator::change_values(Message& message, const Field& field, const std::vector<const Message*>& parts) {
  const Reflection& reflection = *message.GetReflection();
  if (!field.is_repeated()) {
    if (once_in(8)) return reflection.ClearField(&message, &field);
    return set_value(message, field, kNew, parts);
  }
  const int count = reflection.FieldSize(message, &field);
  if (count == 0 || once_in(4)) return set_value(message, field, kNew, parts);
  const int index = static_cast<int>(below(static_cast<size_t>(count)));
  if (once_in(4)) {
    reflection.SwapElements(&message, &field, index, count - 1);
    if (once_in(2)) reflection.RemoveLast(&message, &field);
    return;
  }
  set_value(message, field, index, parts);
}

void MessageMutator::change_messages(Message& message, const Field& field, const std::vector<const Message*>& parts) {
  const Reflection& reflection = *message.GetReflection();
  // Parts of the same kind, from anywhere.
  std::vector<const Message*> same;
  for (const Message* part : parts) {
    if (part->GetDescriptor() == field.message_type()) same.push_back(part);
  }
  // Before anything changes: what is copied may be, or have in it, what it is copied to.
  std::unique_ptr<Message> copy;
  if (!same.empty()) {
    const Message& chosen = *one_of(same);
    copy.reset(chosen.New());
    copy->CopyFrom(chosen);
  }
  const auto replace = [&](Message* to) { copy == nullptr ? to->Clear() : to->CopyFrom(*copy); };
  if (!field.is_repeated()) {
    if (once_in(4)) return reflection.ClearField(&message, &field);
    return replace(reflection.MutableMessage(&message, &field));
  }
  const int count = reflection.FieldSize(message, &field);
  const int index = count == 0 ? 0 : static_cast<int>(below(static_cast<size_t>(count)));
  switch (count == 0 ? 0 : below(4)) {
    case 0:
      replace(reflection.AddMessage(&message, &field));
      // Not always the last one.
      if (once_in(2)) reflection.SwapElements(&message, &field, index, count);
      break;
    case 1: replace(reflection.MutableRepeatedMessage(&message, &field, index)); break;
    case 2: reflection.SwapElements(&message, &field, index, count - 1); break;
    default: reflection.SwapElements(&message, &field, index, count - 1); reflection.RemoveLast(&message, &field);
  }
}

void MessageMutator::change(Message& message, const Message& other) {
  const std::vector<Message*> own = parts_of(message);
  std::vector<const Message*> parts(own.begin(), own.end());
  collect(other, parts);
  Message& part = *one_of(own);
  std::vector<const Field*> fields;
  part.GetReflection()->ListFields(part, &fields);
  const google::protobuf::Descriptor& all = *part.GetDescriptor();
  const bool any = fields.empty() || once_in(8);
  if (any && all.field_count() == 0) return;
  const Field& field =
      any ? *all.field(static_cast<int>(below(static_cast<size_t>(all.field_count())))) : *one_of(fields);
  if (field.cpp_type() == Field::CPPTYPE_MESSAGE) {
    change_messages(part, field, parts);
  } else {
    change_values(part, field, parts);
  }
}

}  // namespace vantage::test
